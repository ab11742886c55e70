"""The knowledge base as one graph: every fact a sentence with a source, and questions answered by chains of them."""
