/** Names of a list as people type or paste it: commas (also full-width), semicolons and lines part them. */
export const splitNames = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，;；\n\r\t]+/)
      .map(name => name.trim())
      .filter(Boolean),
  ),
]
