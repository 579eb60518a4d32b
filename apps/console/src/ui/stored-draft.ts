/** Drafts live in the storage of the tab, so that they survive a reload and end with the tab. */
const keyOf = (name: string) => `draft ${name}`

export const readDraft = <T extends object>(name: string): T | undefined => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null')
    return typeof value === 'object' && value !== null ? (value as T) : undefined
  } catch {
    return undefined
  }
}

/** A draft must not contain a secret: every script of the site can read the storage. */
export const writeDraft = (name: string, draft: object): void => {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(draft))
  } catch {
    // Without storage the page still works, but loses the draft on a reload.
  }
}

export const clearDraft = (name: string): void => sessionStorage.removeItem(keyOf(name))
