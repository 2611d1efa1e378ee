"""What readers see: tables as Markdown, LaTeX and HTML, figures, captions. Knows no suite."""
