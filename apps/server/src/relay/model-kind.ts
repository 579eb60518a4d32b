/** Their names are all that says it, as in One Hub; what orders texts by a question makes no vectors. */
const embedding = /embed|(^|[/-])(bge|e5|gte|uae)-|llm2vec|retrieval|jina-clip/i
const ranking = /rerank/i

/** What a model is for, where nobody asked it yet: in a list, and when a channel is tried. */
export const operationOfModel = (model: string): 'chat' | 'embeddings' =>
  embedding.test(model) && !ranking.test(model) ? 'embeddings' : 'chat'
