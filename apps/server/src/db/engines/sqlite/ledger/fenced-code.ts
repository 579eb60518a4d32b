/** Error code of a batch under an epoch that is not live. The codes of SQLite itself are positive. */
export const fencedCode = -1
