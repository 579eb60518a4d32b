/** A text in pieces of a few characters, cut between characters as vendors do. */
export const cut = (text: string, size = 5): string[] => {
  const characters = [...text]
  const pieces: string[] = []
  for (let at = 0; at < characters.length; at += size)
    pieces.push(characters.slice(at, at + size).join(''))
  return pieces
}
