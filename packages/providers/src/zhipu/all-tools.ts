import {
  decodeCommonFault,
  defineVendorDialect,
  type Json,
  listOf,
  openaiChat,
  stringOf,
} from '@hub/dialects'

/** Shows the calls of the vendor's own tools as Markdown in the text, because callers know only functions. */
class ToolText {
  /** The code of the interpreter arrives in pieces. */
  private isCodeOpen = false
  private hasFunctions = false

  rewrite(frame: Json): Json {
    for (const choice of listOf(frame.choices)) {
      const { delta } = choice
      if (delta) this.rewriteDelta(delta)
      // The turn goes on after a tool of the vendor's own.
      if (choice.finish_reason === 'tool_calls' && !this.hasFunctions) delete choice.finish_reason
    }
    return frame
  }

  private rewriteDelta(delta: Json): void {
    const calls = listOf(delta.tool_calls)
    const functions = calls.filter(isFunction)
    this.hasFunctions ||= functions.length > 0
    const shown = calls.filter(call => !isFunction(call)).map(call => this.show(call))
    const content = stringOf(delta.content)
    const text = shown.join('') + (content === '' ? '' : this.closeCode() + content)
    if (text !== '') delta.content = text
    if (functions.length > 0) delta.tool_calls = functions
    else delete delta.tool_calls
  }

  private show(call: Json): string {
    const { input, outputs } = call[stringOf(call.type)] ?? {}
    if (call.type === 'code_interpreter') return this.showCode(stringOf(input), listOf(outputs))
    return this.closeCode() + listOf(outputs).map(showOutput).join('')
  }

  private showCode(input: string, outputs: readonly Json[]): string {
    const opening = input === '' || this.isCodeOpen ? '' : '\n```python\n'
    this.isCodeOpen ||= input !== ''
    const code = opening + input
    return outputs.length === 0 ? code : code + this.closeCode() + outputs.map(showOutput).join('')
  }

  private closeCode(): string {
    if (!this.isCodeOpen) return ''
    this.isCodeOpen = false
    return '\n```\n'
  }
}

const isFunction = (call: Json): boolean => (call?.type ?? 'function') === 'function'

/** An output of the browser, the drawing tool or the interpreter. */
const showOutput = ({ title, link, content, image, logs, file }: Json): string => {
  if (link !== undefined) return `[${title}](${link})\n${stringOf(content)}\n\n`
  if (image !== undefined) return `![image](${image})\n\n`
  if (file !== undefined && file !== '') return `[${file}](${file})\n\n`
  return logs === undefined || logs === '' ? '' : `\n\`\`\`\n${logs}\n\`\`\`\n`
}

/**
 * Chat of GLM-4-AllTools, whose stream has calls of the vendor's own tools. It only streams. The vendor's pages list the
 * model no more; the fields are those of https://pkg.go.dev/gitee.com/jason_elva8325/zhipuai-sdk-go/glm4alltools
 */
export const allToolsChat = defineVendorDialect({
  id: 'zhipu-alltools-native',
  encodeRequest: request => openaiChat.encodeRequest({ ...request, stream: true }),
  decodeUsage: openaiChat.decodeUsage,
  decodeFault: decodeCommonFault,
  decodeFrames: emit => {
    const decoder = openaiChat.decodeFrames(emit)
    const toolText = new ToolText()
    return {
      pushFrame: (data, event) => {
        const frame = parse(data)
        decoder.pushFrame(frame ? JSON.stringify(toolText.rewrite(frame)) : data, event)
      },
      end: () => decoder.end(),
      mayBeComplete: () => decoder.mayBeComplete(),
      malformedFrames: () => decoder.malformedFrames(),
    }
  },
})

const parse = (data: string): Json | undefined => {
  try {
    const value = JSON.parse(data) as Json
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
