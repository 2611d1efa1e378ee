"""Where a study has the numbers of each paper, one module each.

A module offers ``place(number)``: where the same cell stands, None where no table has it; ``recorded(number)``: where
it stands in rescored recorded answers; ``size(number)``: how a printed size is counted here; ``missing(settings)``:
tables that a study with these settings cannot compare with the paper's, and why.
"""
