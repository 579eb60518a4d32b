import { testPassThrough } from '../dialect-suite.ts'
import { gemini, geminiArray } from './index.ts'

const frame = (text: string, more: object = {}) => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 7, totalTokenCount: 11 },
  modelVersion: 'gemini-3-pro',
})
const request = Buffer.from(
  ' {"model":"gemini-3-pro", "generationConfig" : {"temperature":1.0},"big":9007199254740993,\n "contents":[{"role":"user","parts":[{"text":"h\\u00e9 世界"}]}]}\n',
)

testPassThrough(gemini, {
  request,
  stream: Buffer.from(
    [
      `\uFEFFdata: ${JSON.stringify(frame('Hé 世界 '))}\r\n\r\n`,
      ': a comment\n\n',
      `data:${JSON.stringify(frame('x', { finishReason: 'STOP' }))}\n\n`,
      'data: {\ndata: "candidates": []}\n\n',
      'data: broken {\n\n',
      `data: ${JSON.stringify(frame('', { finishReason: 'STOP' }))}`,
    ].join(''),
  ),
})

testPassThrough(geminiArray, {
  request,
  stream: Buffer.from(
    `[${JSON.stringify(frame('Hé "世界" [{ \\', {}))}\n,\r\n${JSON.stringify(frame('x', { finishReason: 'STOP' }))},${JSON.stringify(frame('', { finishReason: 'STOP' }))}\n]\n`,
  ),
})
