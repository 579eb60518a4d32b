import { isPublicPage } from '@hub/contract'

let hasOthersScripts = false

/** Scripts of the operator's choice run in this document from now on, and cannot be removed. */
export const markDocument = (): void => {
  hasOthersScripts = true
}

/** True where a page has forms or data of a user, which those scripts must not see: it needs a new document. */
export const needsNewDocument = (path: string): boolean => hasOthersScripts && !isPublicPage(path)
