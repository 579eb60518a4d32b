/** The rows of OpenAI's models; see `expected-fields.ts`. */
export const openaiFields = `
openai responses thinking,medium: reasoning.effort=medium
openai responses minimal,low: reasoning.effort=low
openai responses high: reasoning.effort=high
openai responses xhigh: reasoning.effort=xhigh
openai responses nothinking: reasoning.effort=none
openai chat nothinking: reasoning_effort=none
openai-first chat thinking,medium: reasoning_effort=medium
openai-first chat minimal: reasoning_effort=minimal
openai-first chat low: reasoning_effort=low
openai-first chat high,xhigh: reasoning_effort=high
openai-first any nothinking: it always thinks
openai-first responses thinking,medium: reasoning.effort=medium
openai-first responses minimal: reasoning.effort=minimal
openai-first responses low: reasoning.effort=low
openai-first responses high,xhigh: reasoning.effort=high
openai-plain any thinking,minimal,low,medium,high,xhigh: it does not think
openai-plain chat nothinking: -
openai-plain responses nothinking: -
openai-none chat thinking,medium: reasoning_effort=medium
openai-none chat minimal,low: reasoning_effort=low
openai-none chat high,xhigh: reasoning_effort=high
openai-none chat nothinking: reasoning_effort=none
openai-none responses thinking,medium: reasoning.effort=medium
openai-none responses minimal,low: reasoning.effort=low
openai-none responses high,xhigh: reasoning.effort=high
openai-none responses nothinking: reasoning.effort=none
openai-codex chat thinking,medium: reasoning_effort=medium
openai-codex chat minimal,low: reasoning_effort=low
openai-codex chat high,xhigh: reasoning_effort=high
openai-codex responses thinking,medium: reasoning.effort=medium
openai-codex responses minimal,low: reasoning.effort=low
openai-codex responses high,xhigh: reasoning.effort=high
openai-codex any nothinking: it always thinks
openai-late-codex chat thinking,medium: reasoning_effort=medium
openai-late-codex chat minimal,low: reasoning_effort=low
openai-late-codex chat high: reasoning_effort=high
openai-late-codex chat xhigh: reasoning_effort=xhigh
openai-late-codex responses thinking,medium: reasoning.effort=medium
openai-late-codex responses minimal,low: reasoning.effort=low
openai-late-codex responses high: reasoning.effort=high
openai-late-codex responses xhigh: reasoning.effort=xhigh
openai-late-codex any nothinking: it always thinks
openai-pro chat thinking,minimal,low,medium,high,xhigh: reasoning_effort=high
openai-pro responses thinking,minimal,low,medium,high,xhigh: reasoning.effort=high
openai-pro any nothinking: it always thinks
openai-chat any thinking,minimal,low,medium,high,xhigh: it does not think
openai-chat chat nothinking: -
openai-chat responses nothinking: -
openai-astra chat thinking,medium: reasoning_effort=medium
openai-astra chat minimal,low: reasoning_effort=low
openai-astra chat high: reasoning_effort=high
openai-astra chat xhigh: reasoning_effort=xhigh
openai-astra responses thinking,medium: reasoning.effort=medium
openai-astra responses minimal,low: reasoning.effort=low
openai-astra responses high: reasoning.effort=high
openai-astra responses xhigh: reasoning.effort=xhigh
openai-astra any nothinking: it always thinks
openai-sol chat thinking,medium: reasoning_effort=medium
openai-sol chat minimal,low: reasoning_effort=low
openai-sol chat high: reasoning_effort=high
openai-sol chat xhigh: reasoning_effort=xhigh
openai-sol responses thinking,medium: reasoning.effort=medium
openai-sol responses minimal,low: reasoning.effort=low
openai-sol responses high: reasoning.effort=high
openai-sol responses xhigh: reasoning.effort=xhigh
openai-sol any nothinking: it always thinks
openai-codex-max chat thinking,medium: reasoning_effort=medium
openai-codex-max chat minimal,low: reasoning_effort=low
openai-codex-max chat high: reasoning_effort=high
openai-codex-max chat xhigh: reasoning_effort=xhigh
openai-codex-max responses thinking,medium: reasoning.effort=medium
openai-codex-max responses minimal,low: reasoning.effort=low
openai-codex-max responses high: reasoning.effort=high
openai-codex-max responses xhigh: reasoning.effort=xhigh
openai-codex-max any nothinking: it always thinks
openai-codex-mini chat thinking,minimal,low,medium: reasoning_effort=medium
openai-codex-mini chat high,xhigh: reasoning_effort=high
openai-codex-mini responses thinking,minimal,low,medium: reasoning.effort=medium
openai-codex-mini responses high,xhigh: reasoning.effort=high
openai-codex-mini any nothinking: it always thinks
openai-first-codex chat thinking,medium: reasoning_effort=medium
openai-first-codex chat minimal,low: reasoning_effort=low
openai-first-codex chat high,xhigh: reasoning_effort=high
openai-first-codex responses thinking,medium: reasoning.effort=medium
openai-first-codex responses minimal,low: reasoning.effort=low
openai-first-codex responses high,xhigh: reasoning.effort=high
openai-first-codex any nothinking: it always thinks
openai-late-pro chat thinking,minimal,low,medium: reasoning_effort=medium
openai-late-pro chat high: reasoning_effort=high
openai-late-pro chat xhigh: reasoning_effort=xhigh
openai-late-pro responses thinking,minimal,low,medium: reasoning.effort=medium
openai-late-pro responses high: reasoning.effort=high
openai-late-pro responses xhigh: reasoning.effort=xhigh
openai-late-pro any nothinking: it always thinks
openai-late-chat chat thinking,minimal,low,medium,high,xhigh: reasoning_effort=medium
openai-late-chat responses thinking,minimal,low,medium,high,xhigh: reasoning.effort=medium
openai-late-chat any nothinking: it always thinks
openai-terra chat nothinking: reasoning_effort=none
openai-terra chat thinking,medium: reasoning_effort=medium
openai-terra chat minimal,low: reasoning_effort=low
openai-terra chat high: reasoning_effort=high
openai-terra chat xhigh: reasoning_effort=xhigh
openai-terra responses nothinking: reasoning.effort=none
openai-terra responses thinking,medium: reasoning.effort=medium
openai-terra responses minimal,low: reasoning.effort=low
openai-terra responses high: reasoning.effort=high
openai-terra responses xhigh: reasoning.effort=xhigh
openai-sol-6 chat nothinking: reasoning_effort=none
openai-sol-6 chat thinking,medium: reasoning_effort=medium
openai-sol-6 chat minimal,low: reasoning_effort=low
openai-sol-6 chat high: reasoning_effort=high
openai-sol-6 chat xhigh: reasoning_effort=xhigh
openai-sol-6 responses nothinking: reasoning.effort=none
openai-sol-6 responses thinking,medium: reasoning.effort=medium
openai-sol-6 responses minimal,low: reasoning.effort=low
openai-sol-6 responses high: reasoning.effort=high
openai-sol-6 responses xhigh: reasoning.effort=xhigh
`
