import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { CodeBlock, CopyButton, mono } from '../../../ui/index.ts'
import type { Snippet } from './clients.ts'

/** Settings to paste, with a button that copies them. */
export const SnippetView = ({ snippet }: { snippet: Snippet }) => (
  <Box>
    <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', mb: 0.5 }}>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 500 }}>
        {snippet.title}
      </Typography>
      {snippet.kind === 'code' && <CopyButton text={snippet.text} what={snippet.title} />}
    </Stack>
    {snippet.kind === 'code' ? (
      <CodeBlock label={snippet.title}>{snippet.text}</CodeBlock>
    ) : (
      snippet.fields.map(([label, value]) => <Setting key={label} label={label} value={value} />)
    )}
  </Box>
)

const Setting = ({ label, value }: { label: string; value: string }) => (
  <Stack
    direction="row"
    sx={{ alignItems: 'center', gap: 1, py: 0.5, borderTop: '1px solid', borderColor: 'divider' }}
  >
    <Box sx={{ flex: '0 0 38%', fontSize: 13, color: 'text.secondary' }}>{label}</Box>
    <Box sx={{ flex: 1, minWidth: 0, fontFamily: mono, fontSize: 12, overflowWrap: 'anywhere' }}>
      {value}
    </Box>
    <CopyButton text={value} what={label} />
  </Stack>
)
