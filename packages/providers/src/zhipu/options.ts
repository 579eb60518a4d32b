import { z } from 'zod'
import type { Quirk } from '../quirks.ts'

type Tool = { type?: unknown }

/** `retrieval` and `web_search` of One Hub. Its options for glm-4-alltools are absent: the vendor lists that model no more. */
export const options = z.object({
  retrieval: z
    .object({
      knowledge_id: z.string().trim().min(1).meta({ label: 'Knowledge base ID' }),
      prompt_template: z.string().optional().meta({ label: 'Prompt template' }),
    })
    .optional(),
  web_search: z
    .object({ enable: z.boolean().default(false).meta({ label: 'Search the web' }) })
    .optional(),
})

/**
 * Adds the tool that the channel's options name, unless the caller has a tool of that type. As in One Hub, retrieval
 * takes the place of search. https://docs.bigmodel.cn/api-reference/模型-api/对话补全
 */
export const addOptionTool: Quirk = {
  reach: 'top',
  edit: (view, { retrieval, web_search }) => {
    const tool = retrieval?.knowledge_id
      ? { type: 'retrieval', retrieval }
      : web_search?.enable === true && searchTool
    if (!tool) return
    const given = view.has('tools') ? view.get('tools') : []
    const tools: Tool[] = Array.isArray(given) ? given : []
    if (!tools.some(each => each?.type === tool.type)) view.set('tools', [...tools, tool])
  },
}

// The engine has to be named: https://docs.bigmodel.cn/cn/guide/tools/web-search
const searchTool = {
  type: 'web_search',
  web_search: { enable: true, search_engine: 'search_std' },
}
