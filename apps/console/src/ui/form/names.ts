/** Splits a typed or pasted list of names at commas, semicolons (also full-width ones), tabs and lines. */
export const splitNames = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，;；\n\r\t]+/)
      .map(name => name.trim())
      .filter(Boolean),
  ),
]
