import type { Usage } from '../usage.ts'

type RecordedTurn = { messages: readonly object[]; usage: Partial<Usage> }

const audio = {
  serverContent: {
    modelTurn: {
      parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: 'A'.repeat(6_400) } }],
    },
  },
}
const generated = { serverContent: { generationComplete: true } }
const details = (text: number, audio: number) => [
  { modality: 'TEXT', tokenCount: text },
  { modality: 'AUDIO', tokenCount: audio },
]
const counts = (prompt: [number, number], response: [number, number]) => ({
  promptTokenCount: prompt[0] + prompt[1],
  responseTokenCount: response[0] + response[1],
  totalTokenCount: prompt[0] + prompt[1] + response[0] + response[1],
  promptTokensDetails: details(...prompt),
  responseTokensDetails: details(...response),
})
const toolCall = { toolCall: { functionCalls: [{ id: '1', name: 'clock', args: {} }] } }
const toolResponse = {
  toolResponse: { functionResponses: [{ id: '1', name: 'clock', response: { time: '7' } }] },
}

/**
 * Turns as the vendor sends them, with made-up numbers. Fields: https://ai.google.dev/api/live#usagemetadata. The order of
 * the reports was seen by users of the API: with the end, one for the prompt and an empty one with the end, or several
 * that each replace the one before (https://github.com/sierra-research/tau2-bench/pull/454). No source tells the reports
 * around a tool call.
 */
export const turns: Readonly<Record<string, RecordedTurn>> = {
  'one report with the end': {
    messages: [
      audio,
      generated,
      { serverContent: { turnComplete: true }, usageMetadata: counts([400, 12], [16, 80]) },
    ],
    usage: { input: 400, audioInput: 12, output: 16, audioOutput: 80 },
  },
  'reports that grow, each with all before it': {
    messages: [
      { ...audio, usageMetadata: counts([400, 12], [4, 20]) },
      { ...audio, usageMetadata: counts([400, 12], [10, 50]) },
      { serverContent: { turnComplete: true }, usageMetadata: counts([400, 12], [16, 80]) },
    ],
    usage: { input: 400, audioInput: 12, output: 16, audioOutput: 80 },
  },
  'a report of the prompt and an empty one with the end: the output is counted': {
    messages: [
      { serverContent: {}, usageMetadata: { promptTokenCount: 960, totalTokenCount: 960 } },
      audio,
      { serverContent: { turnComplete: true }, usageMetadata: {} },
    ],
    usage: { input: 960, output: 0, audioOutput: 3 },
  },
  'a tool call: the answer is another generation with a longer prompt': {
    messages: [
      { ...toolCall, usageMetadata: counts([400, 12], [9, 0]) },
      toolResponse,
      audio,
      { serverContent: { turnComplete: true }, usageMetadata: counts([430, 12], [0, 80]) },
    ],
    usage: { input: 830, audioInput: 24, output: 9, audioOutput: 80 },
  },
  'a tool call without a report of its own': {
    messages: [
      toolCall,
      toolResponse,
      audio,
      { serverContent: { turnComplete: true }, usageMetadata: counts([430, 12], [9, 80]) },
    ],
    usage: { input: 430, audioInput: 12, output: 9, audioOutput: 80 },
  },
  'frames of video are priced as images': {
    messages: [
      {
        serverContent: { turnComplete: true },
        usageMetadata: {
          ...{ promptTokenCount: 300, responseTokenCount: 4 },
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 42 },
            { modality: 'VIDEO', tokenCount: 258 },
          ],
        },
      },
    ],
    usage: { input: 42, imageInput: 258, output: 4 },
  },
}
