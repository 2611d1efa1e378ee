"""What a person types: ``afterimage plan | measure | rescore | journal | human | crate``."""
