import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { errorText } from '../../../api/index.ts'
import { formatCount, Meter, useT } from '../../../ui/index.ts'
import type { ImportResult } from './run.ts'

export const Progress = ({ done, total }: { done: number; total: number }) => {
  const t = useT()
  return (
    <Box>
      <Box sx={{ fontSize: 13, mb: 0.75 }}>
        {t('model-info.import.progress', { done: formatCount(done), total: formatCount(total) })}
      </Box>
      <Meter
        percent={total > 0 ? (done / total) * 100 : 0}
        label={t('model-info.import.running')}
      />
    </Box>
  )
}

/** The counts of an import that ended, the entries that were refused, and why the rest was not tried. */
export const Result = ({ result, skipped }: { result: ImportResult; skipped: number }) => {
  const t = useT()
  const { created, updated, failed, left, error } = result
  const hasFailed = failed.length > 0 || error !== undefined
  return (
    <Alert
      severity={hasFailed ? 'error' : left > 0 ? 'warning' : 'success'}
      variant="outlined"
      role="status"
    >
      {t('model-info.import.result', { created, updated, skipped, failed: failed.length })}
      {left > 0 && <div>{t('model-info.import.left', { count: left })}</div>}
      {error !== undefined && <div>{errorText(t, error).text}</div>}
      {failed.length > 0 && (
        <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, maxHeight: 160, overflowY: 'auto' }}>
          {failed.map(each => (
            <li key={each.model}>
              {each.model}: {errorText(t, each.error).text}
            </li>
          ))}
        </Box>
      )}
    </Alert>
  )
}
