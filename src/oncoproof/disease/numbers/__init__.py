"""The numbers of the model: what drugs do, whom they harm, what makes patients differ; priors and fit."""
