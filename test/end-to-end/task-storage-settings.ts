import { expect } from 'vitest'
import { S3Server } from '../../apps/server/test/tasks/s3-server.ts'
import { callApi } from '../harness/admin.ts'
import type { TestHub } from '../harness/test-hub.ts'

/** The part of `settings.test.ts` about the storage of task results. */
export const taskStorageSettings = (hub: () => TestHub) => {
  const set = (key: string, value: string) => hub().admin.setOption(key, value)
  const test = async () => {
    const { gateway } = hub()
    const caller = { bearer: gateway.accessToken }
    return (await callApi(gateway, caller, 'POST', '/api/option/test-task-storage', {})).code ?? ''
  }
  const right = (storage: S3Server) => ({
    TaskStorageEndpoint: storage.url,
    TaskStorageRegion: storage.region,
    TaskStorageBucket: storage.bucket,
    TaskStoragePrefix: 'results/',
    TaskStorageAccessKey: storage.accessKey,
    TaskStorageSecretKey: storage.secretKey,
    TaskStoragePathStyleEnabled: 'true',
  })
  const withStorage = async (work: (storage: S3Server) => Promise<void>) => {
    const storage = await new S3Server().start()
    try {
      for (const [key, value] of Object.entries(right(storage))) await set(key, value)
      expect(await test()).toBe('')
      await work(storage)
    } finally {
      await set('TaskStorageEnabled', 'false')
      await set('TaskStorageEndpoint', '')
      await storage.close()
    }
  }
  const fails =
    (key: string, value: string, code = 'storage.failed') =>
    () =>
      withStorage(async () => {
        await set(key, value)
        expect(await test()).toBe(code)
      })
  return {
    TaskStorageEndpoint: fails('TaskStorageEndpoint', '', 'storage.unset'),
    TaskStorageRegion: fails('TaskStorageRegion', 'elsewhere-1'),
    TaskStorageBucket: fails('TaskStorageBucket', 'another-bucket'),
    TaskStorageAccessKey: fails('TaskStorageAccessKey', 'another'),
    TaskStorageSecretKey: fails('TaskStorageSecretKey', 'another'),
    // A bucket's name cannot stand in front of an IP address.
    TaskStoragePathStyleEnabled: fails('TaskStoragePathStyleEnabled', 'false'),
    TaskStoragePrefix: () =>
      withStorage(async storage => {
        await set('TaskStoragePrefix', 'elsewhere/')
        await test()
        const keys = storage.calls.map(each => each.key.split('/')[0])
        expect(new Set(keys)).toEqual(new Set(['results', 'elsewhere']))
      }),
    // Obeyed in `apps/server/test/tasks/task-storage.test.ts`.
    TaskStorageEnabled: () =>
      withStorage(async () => {
        await set('TaskStorageEnabled', 'true')
        const rows = await hub().admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
        expect(rows.find(each => each.key === 'TaskStorageEnabled')?.value).toBe('true')
      }),
  }
}
