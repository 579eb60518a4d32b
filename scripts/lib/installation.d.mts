/** What TypeScript takes from `installation.mjs`. */
export const installation: (folder: string) => void
