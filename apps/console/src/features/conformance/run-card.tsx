import type { Conformance } from '@hub/contract'
import Box from '@mui/material/Box'
import { Card, formatCount, mono, Timestamp, useT } from '../../ui/index.ts'

/** The date of the test run, the versions of its clients and the number of tested cells. */
export const RunCard = ({ grid: { at, versions, counts } }: { grid: Conformance }) => {
  const t = useT()
  const cells = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const entries = [
    [t('conformance.at'), <Timestamp key="at" at={Math.floor(Date.parse(at) / 1000)} />],
    [t('conformance.cells'), formatCount(cells)],
  ] as const
  return (
    <Card title={t('conformance.run')}>
      <Box component="dl" sx={list}>
        {entries.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {Object.entries(versions).map(([name, version]) => (
          <div key={name}>
            <Box component="dt" sx={{ fontFamily: mono }}>
              {name}
            </Box>
            <dd>{version}</dd>
          </div>
        ))}
      </Box>
    </Card>
  )
}

const list = {
  m: 0,
  display: 'grid',
  gap: 2,
  gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))',
  '& dt': { fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' },
  '& dd': { m: 0, fontSize: 13, fontWeight: 500 },
}
