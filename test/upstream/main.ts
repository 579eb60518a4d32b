import { startUpstream } from './start.ts'

/** The fake vendor as a process of its own: `PORT` or a free one, its address on the first line. */
const upstream = await startUpstream(Number(process.env.PORT ?? 0))
console.log(`listening on ${upstream.url}`)
process.on('SIGTERM', () => void upstream.close().then(() => process.exit(0)))
