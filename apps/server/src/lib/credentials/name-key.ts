/** Equal for names that differ only in case, width or composition: NFKC with case folding (Unicode TR 15 and TR 21). */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
