export type GeminiPath = { model: string; action: string; stream: boolean }

/**
 * Parses `/v1beta/models/{model}:{action}` with any prefix, tuned models and Vertex publishers included. The
 * model may have colons itself, so the action stands after the last one. Returns undefined for any other path.
 */
export const readPath = (path: string): GeminiPath | undefined => {
  const found = /\/((?:publishers\/[^/]+\/|tuned)?[mM]odels)\/(.+):([A-Za-z]+)$/.exec(path)
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
