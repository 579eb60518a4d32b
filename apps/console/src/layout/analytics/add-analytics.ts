import { readAnalytics } from '@hub/contract'
import { markDocument } from './document.ts'

/**
 * Adds the operator's visitor counter to the page. It is third-party code, so that the document is left with the public
 * pages. The server serves texts as files, because the policy allows no others.
 */
export const addAnalytics = (code: string): void => {
  markDocument()
  for (const [n, { attributes, text }] of (readAnalytics(code) ?? []).entries()) {
    const script = document.createElement('script')
    // Added scripts run as soon as they arrive; those without `async` keep their order.
    script.async = 'async' in attributes
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
    if (text !== '') script.src = `/api/analytics/${n}.js`
    document.head.append(script)
  }
}
