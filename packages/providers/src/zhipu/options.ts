import { z } from 'zod'
import type { BodyView, Quirk } from '../quirks.ts'

type Tool = { type: string; [field: string]: unknown }

const switchOf = (label: string) =>
  z.object({ enable: z.boolean().default(false).meta({ label }) }).optional()

/** One Hub's options. The last three are for glm-4-alltools only. */
export const options = z.object({
  retrieval: z
    .object({
      knowledge_id: z.string().trim().min(1).meta({ label: 'Knowledge base ID' }),
      prompt_template: z.string().optional().meta({ label: 'Prompt template' }),
    })
    .optional(),
  web_search: switchOf('Search the web'),
  web_browser: switchOf('Browse the web (glm-4-alltools)'),
  drawing_tool: switchOf('Draw images (glm-4-alltools)'),
  code_interpreter: z
    .object({
      sandbox: z.enum(['auto', 'none']).optional().meta({ label: 'Run code (glm-4-alltools)' }),
    })
    .optional(),
})

/** Adds the tools, unless the caller has one of that type. */
const addTools = (view: BodyView, added: readonly Tool[]): void => {
  const given = view.has('tools') ? view.get('tools') : []
  const tools: Tool[] = Array.isArray(given) ? given : []
  const missing = added.filter(({ type }) => !tools.some(each => each?.type === type))
  if (missing.length > 0) view.set('tools', [...tools, ...missing])
}

/**
 * Adds the tool that the channel's options name. As in One Hub, retrieval takes the place of search.
 * https://docs.bigmodel.cn/api-reference/模型-api/对话补全
 */
export const addOptionTool: Quirk = {
  reach: 'top',
  edit: (view, { retrieval, web_search }) => {
    if (retrieval?.knowledge_id) addTools(view, [{ type: 'retrieval', retrieval }])
    else if (web_search?.enable === true) addTools(view, [searchTool])
  },
}

// The engine has to be named: https://docs.bigmodel.cn/cn/guide/tools/web-search
const searchTool = {
  type: 'web_search',
  web_search: { enable: true, search_engine: 'search_std' },
}

/** Adds the tools of glm-4-alltools that the channel's options name. */
export const addAllTools: Quirk = {
  reach: 'top',
  edit: (view, { web_browser, drawing_tool, code_interpreter }) =>
    addTools(view, [
      ...(web_browser?.enable === true ? [{ type: 'web_browser' }] : []),
      ...(drawing_tool?.enable === true ? [{ type: 'drawing_tool' }] : []),
      ...(code_interpreter?.sandbox
        ? [{ type: 'code_interpreter', code_interpreter: { sandbox: code_interpreter.sandbox } }]
        : []),
    ]),
}
