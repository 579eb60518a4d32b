import { expect, it } from 'vitest'
import { ExportQueue } from './exporter.ts'

/** A queue before a collector that gives these answers in turn. */
const open = (answers: ('sent' | 'refused' | 'later')[], max = 3) => {
  const sent: string[][] = []
  const dropped: number[] = []
  const queue = new ExportQueue<string>({
    ...{ max, batchMax: 2 },
    send: async batch => {
      sent.push([...batch])
      return answers.shift() ?? 'sent'
    },
    onDropped: count => dropped.push(count),
  })
  return { queue, sent, dropped }
}

it('sends batches in order, and drops and counts what does not fit', async () => {
  const { queue, sent, dropped } = open([])
  for (const each of ['a', 'b', 'c', 'd', 'e']) queue.push(each)
  expect(dropped).toEqual([1, 1])
  await queue.flush()
  expect(sent).toEqual([['a', 'b'], ['c']])
  expect(queue.size).toBe(0)
})

it('sends a batch again that the collector wants later, and counts one that it refuses', async () => {
  const { queue, sent, dropped } = open(['later', 'sent', 'refused'])
  for (const each of ['a', 'b', 'c']) queue.push(each)
  await queue.flush()
  expect([sent.length, queue.size]).toEqual([1, 3])
  await Promise.all([queue.flush(), queue.flush()])
  expect(sent).toEqual([['a', 'b'], ['a', 'b'], ['c']])
  expect([queue.size, dropped]).toEqual([0, [1]])
})
