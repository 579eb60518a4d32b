import type { Logger } from 'pino'
import { connectRedis } from './redis.ts'

/** Milliseconds until Redis has answered. Rejects if it does not. */
export const pingRedis = async (redisUrl: string, log: Logger): Promise<number> => {
  const redis = connectRedis(redisUrl, log)
  try {
    await redis.connect()
    const begin = performance.now()
    await redis.ping()
    return performance.now() - begin
  } finally {
    redis.disconnect()
  }
}
