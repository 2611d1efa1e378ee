"""HallusionBench (Guan et al. 2024): yes/no questions in controlled pairs, with people's judgement of the answers."""
