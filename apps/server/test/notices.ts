import type { TestClient } from './harness.ts'

const paths = { site: '/api/notification/', account: '/api/user/notification/' }
type Owner = keyof typeof paths

/** Adds a target whose daily digest keeps what arrives in the outbox. */
export const subscribe = async (client: TestClient, owner: Owner, events: readonly string[]) => {
  const { status, text } = await client.post(paths[owner], {
    ...{ name: 'kept', type: 'webhook', digest: 'daily', events },
    config: { url: 'https://hooks.example/', secret: 'a secret of 24 to 64 byte' },
  })
  if (status !== 200) throw new TypeError(text)
}

/** The number and title of each notice of an event, the oldest first. */
export const noticesOf = async (
  client: TestClient,
  owner: Owner,
  event: string,
): Promise<[count: number, title: string][]> => {
  const { body } = await client.get(`${paths[owner]}delivery?size=100&order=id`)
  return body.data.data
    .filter((each: { event: string }) => each.event === event)
    .map(({ count, title }: { count: number; title: string }) => [count, title])
}
