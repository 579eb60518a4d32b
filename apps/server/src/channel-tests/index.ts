export { updateBalance } from './balance.ts'
export { lastBatchRuns, runDueBatch, startBatchRun } from './batch-run.ts'
export { fetchModels } from './fetch-models.ts'
export { testChannelOrThrow } from './test-channel.ts'
