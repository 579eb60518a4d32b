import {
  type MarkupRun,
  type MarkupStyle,
  parseTelegramMarkup,
  type TelegramParseMode,
} from '@hub/contract'
import Box from '@mui/material/Box'
import type { SystemStyleObject } from '@mui/system'
import { mono, useT } from '../../ui/index.ts'

const looks: Record<MarkupStyle, SystemStyleObject> = {
  bold: { fontWeight: 700 },
  italic: { fontStyle: 'italic' },
  underline: { textDecoration: 'underline' },
  strikethrough: { textDecoration: 'line-through' },
  spoiler: { bgcolor: 'action.selected', borderRadius: '4px', px: 0.25 },
  code: { fontFamily: mono, fontSize: 13 },
  pre: { fontFamily: mono, fontSize: 13 },
  quote: { borderLeft: '3px solid', borderColor: 'primary.main', pl: 1 },
  link: { color: 'primary.main' },
}

const lookOf = ({ styles }: MarkupRun) => Object.assign({}, ...styles.map(style => looks[style]))

type Props = { mode: TelegramParseMode; source: string }

/** Shows the message as Telegram does, or the reason why Telegram would refuse it. Links cannot be clicked. */
export const MarkupPreview = ({ mode, source }: Props) => {
  const t = useT()
  if (source.trim() === '') return null
  const parsed = parseTelegramMarkup(mode, source)
  return (
    <Box component="section" aria-label={t('telegram.preview.title')} sx={{ mt: 1.5 }}>
      <Box sx={{ mb: 0.5, fontSize: 12, color: 'text.secondary' }}>
        {t('telegram.preview.title')}
      </Box>
      {parsed.ok ? (
        <Box
          sx={{
            ...{ width: 'fit-content', maxWidth: '100%', px: 1.5, py: 1, fontSize: 14 },
            ...{ bgcolor: 'action.hover', borderRadius: '4px 12px 12px 12px' },
            ...{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
          }}
        >
          {parsed.runs.map((run, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: each edit makes a new list of runs, which hold no state that a wrong key could give to another run.
            <Box component="span" key={at} title={run.url} sx={lookOf(run)}>
              {run.text}
            </Box>
          ))}
        </Box>
      ) : (
        <Box role="status" sx={{ fontSize: 13, color: 'error.main' }}>
          {t('telegram.preview.refused', { why: parsed.why })}
        </Box>
      )}
    </Box>
  )
}
