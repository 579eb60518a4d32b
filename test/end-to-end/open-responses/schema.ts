import {
  any,
  by,
  count,
  fields,
  flag,
  many,
  number,
  object,
  one,
  orNull,
  type Rule,
  text,
  words,
} from '../../conformance/wire/shape.ts'

// The schema of Open Responses, version 2026-04-24: https://www.openresponses.org/reference. Its fields may have others
// beside them, so each rule checks those that it names.

const open =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, at) => {
    const wrong = object(value, at)
    if (wrong.length > 0) return wrong
    const known = Object.entries(rules).map(([key, rule]) => [key.replace(/\?$/, ''), rule])
    const given = value as Record<string, unknown>
    return fields(rules)(Object.fromEntries(known.map(([key]) => [key, given[key as string]])), at)
  }

const status = one('in_progress', 'completed', 'incomplete')

const content = by('type', {
  input_text: open({ text }),
  output_text: open({
    text,
    annotations: many(
      open({
        type: one('url_citation'),
        url: text,
        title: text,
        start_index: count,
        end_index: count,
      }),
    ),
    'logprobs?': many(open({ token: text, logprob: number, bytes: many(count) })),
  }),
  summary_text: open({ text }),
  reasoning_text: open({ text }),
  refusal: open({ refusal: text }),
  input_image: open({ image_url: orNull(text), detail: one('low', 'high', 'auto') }),
  input_file: open({ 'filename?': text, 'file_url?': text }),
})

const item = by('type', {
  message: open({
    id: words,
    status,
    role: one('user', 'assistant', 'system', 'developer'),
    content: many(content),
    'phase?': one('commentary', 'final_answer'),
  }),
  function_call: open({ id: words, call_id: words, name: words, arguments: text, status }),
  function_call_output: open({ id: words, call_id: words, output: any, status }),
  reasoning: open({ id: words, summary: many(content), 'encrypted_content?': text }),
  compaction: open({ id: words, encrypted_content: text }),
  // OpenAI alone has this one and its tool: https://developers.openai.com/api/docs/guides/tools-tool-search
  tool_search_call: open({
    id: words,
    call_id: orNull(words),
    execution: one('server', 'client'),
    arguments: object,
    status,
  }),
})

const tool = by('type', {
  function: open({
    name: words,
    description: orNull(text),
    parameters: orNull(object),
    strict: orNull(flag),
  }),
  tool_search: open({}),
})

const toolChoice: Rule = (value, at) =>
  typeof value === 'string'
    ? one('none', 'auto', 'required')(value, at)
    : by('type', {
        function: open({ name: words }),
        allowed_tools: open({
          mode: one('none', 'auto', 'required'),
          tools: many(open({ type: one('function') })),
        }),
      })(value, at)

const format = by('type', {
  text: open({}),
  json_object: open({}),
  json_schema: open({ name: words, description: orNull(text), strict: flag }),
})

const usage = open({
  input_tokens: count,
  input_tokens_details: open({ cached_tokens: count }),
  output_tokens: count,
  output_tokens_details: open({ reasoning_tokens: count }),
  total_tokens: count,
})

export const response: Rule = open({
  id: words,
  object: one('response'),
  created_at: count,
  completed_at: orNull(count),
  status: words,
  incomplete_details: orNull(open({ reason: words })),
  model: words,
  previous_response_id: orNull(words),
  instructions: orNull(text),
  output: many(item),
  error: orNull(open({ code: words, message: words })),
  tools: many(tool),
  tool_choice: toolChoice,
  truncation: one('auto', 'disabled'),
  parallel_tool_calls: flag,
  text: open({ format, 'verbosity?': one('low', 'medium', 'high') }),
  top_p: number,
  presence_penalty: number,
  frequency_penalty: number,
  top_logprobs: count,
  temperature: number,
  reasoning: orNull(
    open({
      effort: one('none', 'low', 'medium', 'high', 'xhigh', null),
      summary: one('concise', 'detailed', 'auto', null),
    }),
  ),
  usage: orNull(usage),
  max_output_tokens: orNull(count),
  max_tool_calls: orNull(count),
  store: flag,
  background: flag,
  service_tier: words,
  metadata: any,
  safety_identifier: orNull(text),
  prompt_cache_key: orNull(text),
})

export const compacted: Rule = open({
  id: words,
  object: one('response.compaction'),
  created_at: count,
  output: many(item),
  usage,
})

const event = (rules: Readonly<Record<string, Rule>>): Rule =>
  open({ sequence_number: count, ...rules })
const place = { item_id: words, output_index: count }
const inContent = (rules: Readonly<Record<string, Rule>>) =>
  event({ ...place, content_index: count, ...rules })
const inSummary = (rules: Readonly<Record<string, Rule>>) =>
  event({ ...place, summary_index: count, ...rules })
const withResponse = event({ response })
const withItem = event({ output_index: count, item })

export const streamed: Rule = by('type', {
  'response.created': withResponse,
  'response.queued': withResponse,
  'response.in_progress': withResponse,
  'response.completed': withResponse,
  'response.incomplete': withResponse,
  'response.failed': withResponse,
  'response.output_item.added': withItem,
  'response.output_item.done': withItem,
  'response.compaction.compacting': event(place),
  'response.content_part.added': inContent({ part: content }),
  'response.content_part.done': inContent({ part: content }),
  'response.output_text.delta': inContent({ delta: text }),
  'response.output_text.done': inContent({ text }),
  'response.output_text.annotation.added': inContent({
    annotation_index: count,
    annotation: object,
  }),
  'response.refusal.delta': inContent({ delta: text }),
  'response.refusal.done': inContent({ refusal: text }),
  'response.reasoning_summary_part.added': inSummary({ part: content }),
  'response.reasoning_summary_part.done': inSummary({ part: content }),
  'response.reasoning_summary_text.delta': inSummary({ delta: text }),
  'response.reasoning_summary_text.done': inSummary({ text }),
  'response.function_call_arguments.delta': event({ ...place, delta: text }),
  'response.function_call_arguments.done': event({ ...place, arguments: text }),
})
