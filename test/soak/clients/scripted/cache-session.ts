import type { Call } from './answer.ts'
import { prefixCache, renderPrompt } from './prompt-cache.ts'
import { type Decision, noCall, say, type VendorRequest } from './vendor.ts'

export const agents = 3
/** Claude Code's line at the top has letters of the first words, so that each conversation begins with others. */
const openings = ['Good morning, agents.', 'Please be quick now.', 'Would you kindly help?']
const opening = (at: number) => openings[at % openings.length]

export const askAgents = (conversation: number) =>
  `${opening(conversation)} Conversation ${conversation}, question 0: let three agents look.`
export const askPlain = (conversation: number, question: number) =>
  `Conversation ${conversation}, question ${question}: say a word.`
export const doneText = (conversation: number, question: number) =>
  `Question ${conversation}.${question} is answered.`

/** One prompt as the vendor received it. */
export type Prompt = {
  /** `1` and `2`: the conversations with the user; `1.2`: the second agent of the first one. */
  speaker: string
  question: number
  prompt: string
  input: number
  cached: number
}

const speakerOf = ({
  messages,
}: VendorRequest): Pick<Prompt, 'speaker' | 'question'> | undefined => {
  const texts = messages.filter(each => each.role === 'user').map(each => each.text)
  const [, agent] = /Agent (\d+\.\d+):/.exec(texts[0] ?? '') ?? []
  if (agent) return { speaker: agent, question: 0 }
  const request = texts.flatMap(text => [...text.matchAll(/Conversation (\d), question (\d+):/g)])
  const [, speaker, question] = request.at(-1) ?? []
  return speaker ? { speaker, question: Number(question) } : undefined
}

/** A model that starts three agents at the first question, and reports what an automatic prefix cache has read. */
export const cachingModel = (prompts: Prompt[]) => {
  const cache = prefixCache()
  return (request: VendorRequest): Decision => {
    const { wire, body, messages, tools, n } = request
    const current = speakerOf(request)
    if (!current || tools.length === 0)
      return { content: say('A title', { input: 10, cached: 0, output: 5 }) }
    const prompt = renderPrompt(wire, body)
    const counted = cache.count(prompt)
    prompts.push({ ...current, prompt, ...counted })
    const usage = { ...counted, output: 5 }
    const { speaker, question } = current
    const isFirst = messages.every(each => each.role !== 'tool')
    const call = (at: number, name: string, args: object): Call => ({
      ...{ id: `toolu_${n}_${at}`, name, kind: 'function', args },
    })
    if (speaker.includes('.')) {
      const calls = isFirst
        ? [call(0, 'Bash', { command: `echo ${speaker}`, description: 'Prints a line' })]
        : noCall
      return { content: { thought: '', text: isFirst ? '' : 'It has looked.', calls, usage } }
    }
    if (question > 0 || !isFirst)
      return { content: say(doneText(Number(speaker), question), usage) }
    const name =
      tools.map(each => each.name).find(each => each === 'Agent' || each === 'Task') ?? ''
    const calls = Array.from({ length: agents }, (_, at) =>
      call(at, name, {
        description: `Looks at part ${at + 1}`,
        prompt: `${opening(at)} Agent ${speaker}.${at + 1}: print a line, and report.`,
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
    )
    return { content: { thought: '', text: '', calls, usage } }
  }
}
