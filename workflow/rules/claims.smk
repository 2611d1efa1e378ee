# Who claims to see what was not shown, and what is left without such items (docs/claims.md).


rule make_claims:
    input:
        **answered_without_image(asking_for_claims(plan)),
    output:
        **forms("claims", "../report/claims.rst", "models"),
    log:
        "<results>/logs/make_claims.log",
    params:
        **depends("make_claims"),
    message:
        "Making the table claims"
    script:
        JOB


rule draw_claims:
    input:
        tables=["<results>/tables/claims.csv"],
    output:
        **screens_of("claims"),
        png=shown("claims", "Figures", "../report/claims.rst", "models"),
        pdf="<results>/figures/claims.pdf",
    log:
        "<results>/logs/draw_claims.log",
    params:
        **depends("draw_claims"),
    message:
        "Drawing the chart claims"
    script:
        JOB


rule make_claims_clean:
    input:
        **answered_without_image(asking_clean(plan)),
    output:
        **forms("claims_clean", "../report/claims_clean.rst", "models"),
        marks="<results>/answerable_blind.csv",
    log:
        "<results>/logs/make_claims_clean.log",
    params:
        **depends("make_claims_clean"),
    message:
        "Making the table claims_clean"
    script:
        JOB
