/**
 * The marks of providers and model families: names of files in `public/marks`. A name that ends in `-color` has its own
 * colours; every other mark is drawn in the colour of the text, so that it suits both themes.
 */

/** By channel type, which is also the id of the owner. A type without an entry shows initials. */
const providerMarks: Readonly<Record<number, string>> = {
  1: 'openai',
  3: 'azure-color',
  11: 'palm-color',
  14: 'anthropic',
  15: 'wenxin-color',
  16: 'zhipu',
  17: 'qwen-color',
  18: 'spark-color',
  19: 'ai360-color',
  20: 'openrouter',
  23: 'hunyuan-color',
  24: 'azure-color',
  25: 'gemini-color',
  26: 'baichuan-color',
  27: 'minimax-color',
  28: 'deepseek-color',
  29: 'moonshot',
  30: 'mistral-color',
  31: 'groq',
  32: 'bedrock-color',
  33: 'zeroone',
  34: 'midjourney',
  35: 'cloudflare-color',
  36: 'cohere-color',
  37: 'stability-color',
  38: 'coze',
  39: 'ollama',
  40: 'hunyuan-color',
  41: 'suno',
  42: 'vertexai-color',
  43: 'meta-color',
  44: 'ideogram',
  45: 'siliconcloud',
  46: 'bfl',
  47: 'jina',
  49: 'github',
  51: 'recraft',
  52: 'replicate',
  53: 'kling-color',
  54: 'dbrx-color',
  55: 'azure-color',
  56: 'xai',
  57: 'geminicli-color',
  58: 'claudecode-color',
  59: 'openai',
  60: 'antigravity-color',
  61: 'vertexai-color',
  62: 'bedrock-color',
  64: 'vidu-color',
  65: 'volcengine-color',
  66: 'jimeng-color',
}

/** By the beginning of the model's name. The first family that matches decides. */
const familyMarks: readonly (readonly [mark: string, beginnings: string])[] = [
  ['qwen-color', 'qwen|qwq|qvq|wan[0-9x-]|tongyi|text-embedding-v|gte-'],
  [
    'openai',
    'gpt|chatgpt|o[134](-|$)|text-|tts-|whisper|dall-e|omni-mod|codex|sora|davinci|babbage|openai',
  ],
  ['claude-color', 'claude'],
  ['anthropic', 'anthropic'],
  ['gemini-color', 'gemini'],
  ['palm-color', 'palm|chat-bison'],
  ['google-color', 'gemma|imagen|veo|lyria|google'],
  ['deepseek-color', 'deepseek'],
  ['cohere-color', 'command|c4ai|aya|embed-|rerank-(v|english|multi)|cohere'],
  ['stability-color', 'stable|sd3|sdxl|stability'],
  ['minimax-color', 'minimax|abab|embo-|speech-[0-9]|hailuo'],
  ['bfl', 'flux|black-forest'],
  ['meta-color', 'meta|llama'],
  ['recraft', 'recraft'],
  ['grok', 'grok'],
  ['xai', 'x-ai|xai'],
  ['kimi', 'kimi'],
  ['moonshot', 'moonshot'],
  ['zhipu', 'glm|chatglm|charglm|cog(view|video)|codegeex|zhipu|z-ai|zai-'],
  ['wenxin-color', 'ernie|baidu'],
  ['spark-color', 'spark'],
  ['hunyuan-color', 'hunyuan|hy[0-9]|chatpro|chatstd|tencent'],
  ['baichuan-color', 'baichuan'],
  [
    'mistral-color',
    '(open-)?(mistral|mixtral)|ministral|codestral|magistral|pixtral|devstral|voxtral',
  ],
  ['zeroone', 'yi-'],
  ['midjourney', 'mj[_-]|midjourney'],
  ['suno', 'suno|chirp'],
  ['kling-color', 'kling'],
  ['vidu-color', 'vidu'],
  ['doubao-color', 'doubao|seed(ance|ream|-)|bytedance'],
  ['jimeng-color', 'jimeng'],
  ['jina', 'jina'],
  ['aws', 'amazon|nova-|titan'],
  ['ideogram', 'ideogram'],
  ['ai360-color', '360'],
  ['stepfun-color', 'step-'],
  ['nvidia-color', 'nvidia|nemotron'],
  ['microsoft-color', 'phi-|microsoft'],
  ['perplexity-color', 'sonar|pplx|perplexity'],
  ['elevenlabs', 'eleven'],
  ['runway', 'runway|gen[34]_'],
  ['luma', 'luma|ray-'],
  ['voyage', 'voyage'],
  ['baai', 'bge-|baai'],
  ['ai21', 'ai21|jamba'],
  ['dbrx-color', 'dbrx|databricks'],
  ['longcat', 'longcat'],
  ['coze', 'coze'],
]
const families = familyMarks.map(
  ([mark, beginnings]) => [mark, new RegExp(`^(?:${beginnings})`)] as const,
)

export const markNames: readonly string[] = [
  ...new Set([...Object.values(providerMarks), ...familyMarks.map(([mark]) => mark)]),
].toSorted()

export const markOfProvider = (type: number): string | undefined => providerMarks[type]

/**
 * The mark of a model by its name. Vendors that resell put the maker before it, such as `@cf/qwen/…` or
 * `us.anthropic.claude-…`: the last part that has a mark decides.
 */
export const markOfModel = (name: string): string | undefined => {
  for (const part of name.toLowerCase().split('/').toReversed()) {
    const found =
      familyOf(part.replace(/^([a-z-]+\.)+/, '')) ??
      familyOf(part.replace(/^[a-z]+\.(?=[a-z])/, '')) ??
      familyOf(part)
    if (found) return found
  }
  return undefined
}

const familyOf = (part: string): string | undefined =>
  families.find(([, beginning]) => beginning.test(part))?.[0]
