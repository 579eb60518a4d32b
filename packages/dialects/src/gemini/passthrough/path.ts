export type GeminiPath = { model: string; action: string; stream: boolean }

/**
 * `/v1beta/models/{model}:{action}`, whatever stands before it, also of tuned models and of Vertex's publishers.
 * Undefined for what names no model and action.
 */
export const readPath = (path: string): GeminiPath | undefined => {
  const found = /\/((?:publishers\/[^/]+\/|tuned)?[mM]odels)\/([^:]+):([A-Za-z]+)$/.exec(path)
  if (!found) return undefined
  const [, kind, name, action] = found as unknown as [string, string, string, string]
  const model = decoded(name)
  if (model === undefined) return undefined
  return {
    model: kind === 'tunedModels' ? `tunedModels/${model}` : model,
    action,
    stream: action === 'streamGenerateContent',
  }
}

const decoded = (name: string): string | undefined => {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}
