/** Only a model's name tells embeddings apart, as in One Hub. */
const embedding = /embed|(^|[/-])(bge|e5|gte|uae)-|llm2vec|retrieval|jina-clip/i
/** Rerankers share their names with embedding models, but return no vectors. */
const reranking = /rerank/i

/** Guesses the operation of a model by its name, for model lists and channel tests. */
export const operationOfModel = (model: string): 'chat' | 'embeddings' =>
  embedding.test(model) && !reranking.test(model) ? 'embeddings' : 'chat'
