"""IllusionVQA (Shahgir et al. 2024): multiple choice about optical illusions, comprehension and soft localisation."""
