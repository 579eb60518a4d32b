import type { ResourceApi, ResourceKind } from '@hub/providers'

export type ResourceAction =
  /** Stores a new object at an account of the caller's group. */
  | 'create'
  /** Lists the caller's own objects from the gateway's records. */
  | 'list'
  /** Passes the request on to the account that stores the object. */
  | 'forward'
  | 'remove'
  /** The bytes of a file, as they are. */
  | 'content'
  /** A new batch, whose requests are charged. */
  | 'create-batch'
  /** A batch as its caller may see it before and after its charge. */
  | 'show-batch'
  /** The results of a batch that is charged. */
  | 'results'
  /** One request of a resumable upload. */
  | 'gemini-upload'
  | 'gemini-list'
  /** An object as its vendor has it now. */
  | 'gemini-show'
  | 'gemini-remove'
  /** A stored prompt, whose storage is charged. */
  | 'create-cache'
  | 'extend-cache'

/** A route below the collection of a kind. `:id` is the object that decides about owner and account. */
export type ResourceRoute = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  api: ResourceApi
  kind: ResourceKind
  action: ResourceAction
}

/** The object that a request names, and the path from its id on. */
export type ResourceCall = { route: ResourceRoute; id: string; pathSuffix: string }

const openai = (
  kind: ResourceKind,
  method: ResourceRoute['method'],
  path: string,
  action: ResourceAction,
): ResourceRoute => ({ method, path, api: 'openai', kind, action })

const anthropic = (
  method: ResourceRoute['method'],
  path: string,
  action: ResourceAction,
): ResourceRoute => ({
  ...{
    method,
    path: `/messages/batches${path}`,
    api: 'anthropic',
    kind: 'message-batches',
    action,
  },
})

const gemini = (
  kind: ResourceKind,
  method: ResourceRoute['method'],
  path: string,
  action: ResourceAction,
): ResourceRoute => ({ method, path, api: 'gemini', kind, action })

/** Objects of OpenAI's API: https://developers.openai.com/api/reference/overview */
export const resourceRoutes: readonly ResourceRoute[] = [
  openai('files', 'POST', '/files', 'create'),
  openai('files', 'GET', '/files', 'list'),
  openai('files', 'GET', '/files/:id', 'forward'),
  openai('files', 'DELETE', '/files/:id', 'remove'),
  openai('files', 'GET', '/files/:id/content', 'content'),
  // Parts of a large file: https://developers.openai.com/api/reference/resources/uploads
  openai('uploads', 'POST', '/uploads', 'create'),
  openai('uploads', 'POST', '/uploads/:id/parts', 'forward'),
  openai('uploads', 'POST', '/uploads/:id/complete', 'forward'),
  openai('uploads', 'POST', '/uploads/:id/cancel', 'forward'),
  openai('batches', 'POST', '/batches', 'create-batch'),
  openai('batches', 'GET', '/batches', 'list'),
  openai('batches', 'GET', '/batches/:id', 'show-batch'),
  openai('batches', 'POST', '/batches/:id/cancel', 'show-batch'),
  // https://developers.openai.com/api/reference/resources/vector_stores
  openai('vector-stores', 'POST', '/vector_stores', 'create'),
  openai('vector-stores', 'GET', '/vector_stores', 'list'),
  openai('vector-stores', 'GET', '/vector_stores/:id', 'forward'),
  openai('vector-stores', 'POST', '/vector_stores/:id', 'forward'),
  openai('vector-stores', 'DELETE', '/vector_stores/:id', 'remove'),
  // Its files, batches of files, and search: all of them belong to the store.
  openai('vector-stores', 'GET', '/vector_stores/:id/*', 'forward'),
  openai('vector-stores', 'POST', '/vector_stores/:id/*', 'forward'),
  openai('vector-stores', 'DELETE', '/vector_stores/:id/*', 'forward'),
  // https://developers.openai.com/api/reference/resources/conversations
  openai('conversations', 'POST', '/conversations', 'create'),
  openai('conversations', 'GET', '/conversations/:id', 'forward'),
  openai('conversations', 'POST', '/conversations/:id', 'forward'),
  openai('conversations', 'DELETE', '/conversations/:id', 'remove'),
  // Its items belong to it.
  openai('conversations', 'GET', '/conversations/:id/*', 'forward'),
  openai('conversations', 'POST', '/conversations/:id/*', 'forward'),
  openai('conversations', 'DELETE', '/conversations/:id/*', 'forward'),
  anthropic('POST', '', 'create-batch'),
  anthropic('GET', '', 'list'),
  anthropic('GET', '/:id', 'show-batch'),
  anthropic('DELETE', '/:id', 'remove'),
  anthropic('POST', '/:id/cancel', 'show-batch'),
  anthropic('GET', '/:id/results', 'results'),
]

/** Objects of Gemini's API below a version of it: https://ai.google.dev/api/files */
export const geminiRoutes: readonly ResourceRoute[] = [
  gemini('gemini-files', 'GET', '/files', 'gemini-list'),
  gemini('gemini-files', 'GET', '/files/:id', 'gemini-show'),
  gemini('gemini-files', 'DELETE', '/files/:id', 'gemini-remove'),
  // Prompts that are stored: https://ai.google.dev/api/caching
  gemini('cached-contents', 'POST', '/cachedContents', 'create-cache'),
  gemini('cached-contents', 'GET', '/cachedContents', 'gemini-list'),
  gemini('cached-contents', 'GET', '/cachedContents/:id', 'gemini-show'),
  gemini('cached-contents', 'PATCH', '/cachedContents/:id', 'extend-cache'),
  gemini('cached-contents', 'DELETE', '/cachedContents/:id', 'gemini-remove'),
]

/** Its uploads have an address outside of the versions. */
export const geminiUploadRoutes: readonly ResourceRoute[] = [
  gemini('gemini-uploads', 'POST', '/files', 'gemini-upload'),
]
