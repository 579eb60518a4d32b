import { openaiFields } from './expected-openai-fields.ts'

/**
 * The fields that leave for each ending: family of models, dialect at the vendor, endings: fields. `any` is a refusal. The highest
 * effort of Nova cannot be had with a limit, which callers of Messages always name.
 */
const table = `custom chat thinking,medium: reasoning_effort=medium
custom chat nothinking: reasoning_effort=none
custom chat minimal: reasoning_effort=minimal
custom chat low: reasoning_effort=low
custom chat high: reasoning_effort=high
custom chat xhigh: reasoning_effort=xhigh
claude messages thinking: thinking.type=adaptive
claude messages nothinking: thinking.type=disabled
claude messages minimal,low: output_config.effort=low thinking.type=adaptive
claude messages medium: output_config.effort=medium thinking.type=adaptive
claude messages high,xhigh: output_config.effort=high thinking.type=adaptive
claude-newest messages thinking: thinking.type=adaptive
claude-newest messages nothinking: thinking.type=disabled
claude-newest messages minimal,low: output_config.effort=low thinking.type=adaptive
claude-newest messages medium: output_config.effort=medium thinking.type=adaptive
claude-newest messages high: output_config.effort=high thinking.type=adaptive
claude-newest messages xhigh: output_config.effort=xhigh thinking.type=adaptive
claude-between messages thinking: thinking.type=adaptive
claude-between messages nothinking: thinking.type=between_tools
claude-between messages minimal,low: output_config.effort=low thinking.type=adaptive
claude-between messages medium: output_config.effort=medium thinking.type=adaptive
claude-between messages high: output_config.effort=high thinking.type=adaptive
claude-between messages xhigh: output_config.effort=xhigh thinking.type=adaptive
claude-thinker messages thinking: thinking.type=adaptive
claude-thinker any nothinking: it always thinks
claude-thinker messages minimal,low: output_config.effort=low thinking.type=adaptive
claude-thinker messages medium: output_config.effort=medium thinking.type=adaptive
claude-thinker messages high: output_config.effort=high thinking.type=adaptive
claude-thinker messages xhigh: output_config.effort=xhigh thinking.type=adaptive
claude-fable messages thinking: thinking.type=adaptive
claude-fable any nothinking: it always thinks
claude-fable messages minimal,low: output_config.effort=low thinking.type=adaptive
claude-fable messages medium: output_config.effort=medium thinking.type=adaptive
claude-fable messages high: output_config.effort=high thinking.type=adaptive
claude-fable messages xhigh: output_config.effort=xhigh thinking.type=adaptive
claude-budget messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
claude-budget messages nothinking: thinking.type=disabled
claude-budget messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
claude-budget messages medium: thinking.budget_tokens=4096 thinking.type=enabled
claude-plain any thinking,minimal,low,medium,high,xhigh: it does not think
claude-plain messages nothinking: -
gemini gemini thinking: thinkingBudget=-1
gemini gemini nothinking: thinkingBudget=0
gemini gemini minimal,low: thinkingBudget=1024
gemini gemini medium: thinkingBudget=8192
gemini gemini high,xhigh: thinkingBudget=24576
gemini-pro gemini thinking: -
gemini-pro gemini minimal,low,medium: thinkingLevel=LOW
gemini-pro gemini high,xhigh: thinkingLevel=HIGH
gemini-pro any nothinking: it always thinks
gemini-first-pro gemini thinking: thinkingBudget=-1
gemini-first-pro gemini minimal,low: thinkingBudget=1024
gemini-first-pro gemini medium: thinkingBudget=8192
gemini-first-pro gemini high,xhigh: thinkingBudget=24576
gemini-first-pro any nothinking: it always thinks
gemini-thinker gemini thinking: -
gemini-thinker gemini minimal,low: thinkingLevel=LOW
gemini-thinker gemini medium: thinkingLevel=MEDIUM
gemini-thinker gemini high,xhigh: thinkingLevel=HIGH
gemini-thinker any nothinking: it always thinks
gemini-plain any thinking,minimal,low,medium,high,xhigh: it does not think
gemini-plain gemini nothinking: -
deepseek chat thinking: thinking.type=enabled
deepseek chat nothinking: thinking.type=disabled
deepseek chat minimal,low,medium,high: reasoning_effort=high thinking.type=enabled
deepseek chat xhigh: reasoning_effort=max thinking.type=enabled
deepseek messages thinking: thinking.budget_tokens=6553 thinking.type=enabled
deepseek messages nothinking: thinking.type=disabled
deepseek messages minimal,low,medium,high: output_config.effort=high thinking.type=enabled
deepseek messages xhigh: output_config.effort=max thinking.type=enabled
zhipu chat thinking,minimal,low,medium,high,xhigh: thinking.type=enabled
zhipu chat nothinking: thinking.type=disabled
zhipu messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
zhipu messages nothinking: thinking.type=disabled
zhipu messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
zhipu messages medium: thinking.budget_tokens=4096 thinking.type=enabled
moonshot chat thinking,minimal,low,medium,high,xhigh: thinking.type=enabled
moonshot chat nothinking: thinking.type=disabled
moonshot messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
moonshot messages nothinking: thinking.type=disabled
moonshot messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
moonshot messages medium: thinking.budget_tokens=4096 thinking.type=enabled
moonshot-code chat thinking,minimal,low,medium,high,xhigh: thinking.type=enabled
moonshot-code any nothinking: it always thinks
moonshot-code messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
moonshot-code messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
moonshot-code messages medium: thinking.budget_tokens=4096 thinking.type=enabled
moonshot-k3 chat thinking,high,xhigh: reasoning_effort=high
moonshot-k3 chat minimal,low,medium: reasoning_effort=low
moonshot-k3 any nothinking: it always thinks
moonshot-k3 messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
moonshot-k3 messages minimal,low,medium: thinking.budget_tokens=1638 thinking.type=enabled
qwen chat thinking: enable_thinking=true
qwen chat nothinking: enable_thinking=false
qwen chat minimal: enable_thinking=true thinking_budget=1024
qwen chat low: enable_thinking=true thinking_budget=4096
qwen chat medium: enable_thinking=true thinking_budget=8192
qwen chat high: enable_thinking=true thinking_budget=24576
qwen chat xhigh: enable_thinking=true thinking_budget=32768
qwen messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
qwen messages nothinking: thinking.type=disabled
qwen messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
qwen messages medium: thinking.budget_tokens=4096 thinking.type=enabled
qwen-thinker chat thinking: enable_thinking=true
qwen-thinker chat minimal: enable_thinking=true thinking_budget=1024
qwen-thinker chat low: enable_thinking=true thinking_budget=4096
qwen-thinker chat medium: enable_thinking=true thinking_budget=8192
qwen-thinker chat high: enable_thinking=true thinking_budget=24576
qwen-thinker chat xhigh: enable_thinking=true thinking_budget=32768
qwen-thinker any nothinking: it always thinks
qwen-thinker messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
qwen-thinker messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
qwen-thinker messages medium: thinking.budget_tokens=4096 thinking.type=enabled
siliconflow chat thinking: enable_thinking=true
siliconflow chat nothinking: enable_thinking=false
siliconflow chat minimal: enable_thinking=true thinking_budget=1024
siliconflow chat low: enable_thinking=true thinking_budget=4096
siliconflow chat medium: enable_thinking=true thinking_budget=8192
siliconflow chat high: enable_thinking=true thinking_budget=24576
siliconflow chat xhigh: enable_thinking=true thinking_budget=32768
siliconflow messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
siliconflow messages nothinking: thinking.type=disabled
siliconflow messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
siliconflow messages medium: thinking.budget_tokens=4096 thinking.type=enabled
qianfan chat thinking: enable_thinking=true
qianfan chat nothinking: enable_thinking=false
qianfan chat minimal: enable_thinking=true thinking_budget=1024
qianfan chat low: enable_thinking=true thinking_budget=4096
qianfan chat medium: enable_thinking=true thinking_budget=8192
qianfan chat high: enable_thinking=true thinking_budget=24576
qianfan chat xhigh: enable_thinking=true thinking_budget=32768
hunyuan chat thinking,minimal,low,medium,high,xhigh: enable_thinking=true
hunyuan chat nothinking: enable_thinking=false
minimax chat thinking,minimal,low,medium,high,xhigh: thinking.type=adaptive
minimax chat nothinking: thinking.type=disabled
minimax messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
minimax messages nothinking: thinking.type=disabled
minimax messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
minimax messages medium: thinking.budget_tokens=4096 thinking.type=enabled
minimax-thinker chat thinking: -
minimax-thinker any nothinking: it always thinks
minimax-thinker any minimal,low,medium,high,xhigh: it has no levels of effort
minimax-thinker messages thinking: thinking.budget_tokens=6553 thinking.type=enabled
openrouter chat thinking: reasoning.enabled=true
openrouter chat nothinking: reasoning.effort=none
openrouter chat minimal: reasoning.effort=minimal
openrouter chat low: reasoning.effort=low
openrouter chat medium: reasoning.effort=medium
openrouter chat high: reasoning.effort=high
openrouter chat xhigh: reasoning.effort=xhigh
openrouter responses thinking,medium: reasoning.effort=medium
openrouter responses nothinking: reasoning.effort=none
openrouter responses minimal: reasoning.effort=minimal
openrouter responses low: reasoning.effort=low
openrouter responses high: reasoning.effort=high
openrouter responses xhigh: reasoning.effort=xhigh
openrouter messages thinking,high,xhigh: thinking.budget_tokens=6553 thinking.type=enabled
openrouter messages nothinking: thinking.type=disabled
openrouter messages minimal,low: thinking.budget_tokens=1638 thinking.type=enabled
openrouter messages medium: thinking.budget_tokens=4096 thinking.type=enabled
xai chat thinking,medium: reasoning_effort=medium
xai any nothinking: it always thinks
xai chat minimal,low: reasoning_effort=low
xai chat high,xhigh: reasoning_effort=high
xai responses thinking,medium: reasoning.effort=medium
xai responses minimal,low: reasoning.effort=low
xai responses high,xhigh: reasoning.effort=high
xai-switch chat thinking,medium: reasoning_effort=medium
xai-switch chat nothinking: reasoning_effort=none
xai-switch chat minimal,low: reasoning_effort=low
xai-switch chat high,xhigh: reasoning_effort=high
xai-switch responses thinking,medium: reasoning.effort=medium
xai-switch responses nothinking: reasoning.effort=none
xai-switch responses minimal,low: reasoning.effort=low
xai-switch responses high,xhigh: reasoning.effort=high
xai-first chat thinking,medium,high,xhigh: reasoning_effort=high
xai-first chat minimal,low: reasoning_effort=low
xai-first any nothinking: it always thinks
xai-first responses thinking,medium,high,xhigh: reasoning.effort=high
xai-first responses minimal,low: reasoning.effort=low
xai-thinker chat thinking: -
xai-thinker any nothinking: it always thinks
xai-thinker any minimal,low,medium,high,xhigh: it has no levels of effort
xai-thinker responses thinking: -
groq chat thinking: reasoning_effort=default
groq chat nothinking: reasoning_effort=none
groq any minimal,low,medium,high,xhigh: it has no levels of effort
groq responses thinking: reasoning.effort=default
groq responses nothinking: reasoning.effort=none
groq-thinker chat thinking,medium: reasoning_effort=medium
groq-thinker chat minimal,low: reasoning_effort=low
groq-thinker chat high,xhigh: reasoning_effort=high
groq-thinker any nothinking: it always thinks
groq-thinker responses thinking,medium: reasoning.effort=medium
groq-thinker responses minimal,low: reasoning.effort=low
groq-thinker responses high,xhigh: reasoning.effort=high
mistral chat thinking,minimal,low,medium,high,xhigh: reasoning_effort=high
mistral chat nothinking: reasoning_effort=none
ollama chat thinking,medium: reasoning_effort=medium
ollama chat nothinking: reasoning_effort=none
ollama chat minimal,low: reasoning_effort=low
ollama chat high,xhigh: reasoning_effort=high
bedrock converse thinking,medium: maxReasoningEffort=medium
bedrock converse nothinking: -
bedrock converse minimal,low: maxReasoningEffort=low
bedrock converse high,xhigh: maxReasoningEffort=high
bedrock converse/messages high,xhigh: maxReasoningEffort=medium
`

const rows = `${openaiFields}${table}`
  .trim()
  .split('\n')
  .map(line => {
    const [, family, to, endings, fields] = /^(\S+) (\S+) (\S+): (.*)$/.exec(line)!
    return { family, to, endings: endings!.split(','), fields }
  })

type Name = { family: string; caller: string; to: string; ending: string }

export const expectedFields = ({ family, caller, to, ending }: Name): string | undefined =>
  [`${to}/${caller}`, to]
    .map(place =>
      rows.find(
        each => each.family === family && each.to === place && each.endings.includes(ending),
      ),
    )
    .find(each => each !== undefined)?.fields
