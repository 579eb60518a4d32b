/**
 * Fields of a video that change its look, or that the prices of adapters name: mode, length, size and sound. Any other field
 * may change the vendor's price, which a price per call cannot follow.
 */
const pricedAlike = new Set([
  ...['negative_prompt', 'negativePrompt', 'seed', 'style', 'cfg_scale', 'user', 'watermark'],
  ...['camera_control', 'camera_fixed', 'camerafixed', 'movement_amplitude', 'dynamic_masks'],
  ...['static_mask', 'personGeneration', 'enhancePrompt', 'prompt_optimizer', 'prompt_extend'],
  ...['fast_pretreatment', 'is_rec', 'external_task_id', 'aspect_ratio', 'aspectRatio', 'ratio'],
  ...['mode', 'sound', 'audio', 'generateAudio', 'generate_audio', 'resolution', 'size'],
  ...['duration', 'durationSeconds', 'seconds', 'frames'],
])

/** The fields that a price per call may not cover. */
export const unpricedMetadata = (metadata: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(metadata).filter(name => metadata[name] !== undefined && !pricedAlike.has(name))
