import type { Log } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { hitRateText } from '../../../domain/prompt-cache/cache-sums.tsx'
import { formatCount, formatPercent, type T, useT } from '../../../ui/index.ts'

const readKeys = ['cached_read_tokens', 'cached_read_audio_tokens', 'cached_read_image_tokens']
const writeKeys = ['cached_write_tokens', 'cached_write_1h_tokens']

type CachedPrompt = { read: number; written: number; share: number }

/** The cached part of a call's prompt. Undefined: the row says nothing of a cache. */
export const cachedPromptOf = ({
  metadata,
  prompt_tokens,
}: Pick<Log, 'metadata' | 'prompt_tokens'>): CachedPrompt | undefined => {
  const sum = (keys: readonly string[]) =>
    keys.reduce((total, key) => total + Number(metadata[key] ?? 0), 0)
  const [read, written] = [sum(readKeys), sum(writeKeys)]
  // The prices stand in rows whose usage says that nothing was read, too.
  const isStated = read + written > 0 || metadata.cache_prices !== undefined
  return isStated && prompt_tokens > 0 ? { read, written, share: read / prompt_tokens } : undefined
}

/** The share, and the tokens that it stands for. */
export const cachedText = (t: T, { read, written, share }: CachedPrompt): string =>
  t(written > 0 ? 'prompt-cache.readAndWritten' : 'prompt-cache.read', {
    percent: hitRateText(share),
    read: formatCount(read),
    written: formatCount(written),
  })

/** How much of a prompt came out of the provider's cache, in the cell of its tokens. */
export const CachedShare = ({ log }: { log: Log }) => {
  const t = useT()
  const cached = cachedPromptOf(log)
  if (!cached) return null
  return (
    <Tooltip title={cachedText(t, cached)}>
      <Box
        component="span"
        sx={{ fontSize: 12, mr: 0.75, color: cached.read > 0 ? 'success.main' : 'text.secondary' }}
      >
        {formatPercent(cached.share * 100)}
      </Box>
    </Tooltip>
  )
}
