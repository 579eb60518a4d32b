import type { Task, TaskResult } from '@hub/contract'
import Box from '@mui/material/Box'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { CodeBlock, CopyButton, useT } from '../../ui/index.ts'

type File = TaskResult['files'][number]

/** The works that a task made, each with players for its files. */
export const Results = ({ results }: Pick<Task, 'results'>) => {
  const t = useT()
  if (results.length === 0) return null
  return (
    <Stack spacing={2} sx={{ mt: 3 }}>
      <Typography variant="h3">{t('tasks.result')}</Typography>
      {results.map((result, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the results of an ended task never change their order.
        <ResultCard key={at} result={result} />
      ))}
    </Stack>
  )
}

const ResultCard = ({ result: { title, tags, text, files } }: { result: TaskResult }) => {
  const t = useT()
  return (
    <Stack
      spacing={1}
      sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '8px', p: 1.5 }}
    >
      {title && <Box component="strong">{title}</Box>}
      {tags && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{tags}</Box>}
      {files.map(file => (
        <Preview key={file.kind + file.url.split('&')[0]} file={file} />
      ))}
      {text && (
        <Box sx={{ position: 'relative' }}>
          <Box sx={{ position: 'absolute', right: 4, top: 4 }}>
            <CopyButton text={text} what={t('tasks.copyLyrics')} />
          </Box>
          <CodeBlock
            label={t('tasks.copyLyrics')}
            sx={{ maxHeight: 280, overflowY: 'auto', pr: 5 }}
          >
            {text}
          </CodeBlock>
        </Box>
      )}
    </Stack>
  )
}

/** Plays or shows one file. The address is signed anew with each refresh, so the first one stays. */
const Preview = ({ file }: { file: File }) => {
  const t = useT()
  const [url] = useState(file.url)
  const [isMissing, setIsMissing] = useState(false)
  if (isMissing)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('tasks.unavailable', { kind: t(`tasks.kinds.${file.kind}`) })}
      </Typography>
    )
  return (
    <Stack spacing={0.5}>
      <Player kind={file.kind} url={url} onError={() => setIsMissing(true)} />
      <MuiLink
        href={url}
        target="_blank"
        rel="noreferrer"
        sx={{ fontSize: 13, width: 'fit-content' }}
      >
        {t('tasks.open')}
      </MuiLink>
    </Stack>
  )
}

const frame = { width: '100%', maxHeight: 420, borderRadius: '8px', bgcolor: 'action.hover' }

type PlayerProps = { kind: File['kind']; url: string; onError: () => void }

const Player = ({ kind, url, onError }: PlayerProps) => {
  const t = useT()
  const label = t(`tasks.kinds.${kind}`)
  const shared = { src: url, onError, 'aria-label': label }
  if (kind === 'video')
    return <Box component="video" controls preload="metadata" {...shared} sx={frame} />
  if (kind === 'audio')
    return <Box component="audio" controls preload="none" {...shared} sx={{ width: '100%' }} />
  if (kind === 'image')
    return (
      <Box
        component="img"
        src={url}
        alt={label}
        onError={onError}
        sx={{ ...frame, objectFit: 'contain' }}
      />
    )
  return null
}
