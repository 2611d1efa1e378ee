"""Pages on which people answer what models are asked."""
