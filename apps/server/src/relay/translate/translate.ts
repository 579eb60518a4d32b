import type { App } from '../../core/app.ts'
import { translateEmbeddings } from './embeddings.ts'
import { type Telling, type Translation, translateChat } from './translation.ts'

/** The request in the upstream's own words. Throws `request.*` where it cannot be understood, or not be said there. */
export const translate = (app: App, telling: Telling): Translation =>
  telling.from.embeddings
    ? translateEmbeddings(telling, telling.from.embeddings)
    : translateChat(app, telling)
