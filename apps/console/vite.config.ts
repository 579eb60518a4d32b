import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.HUB_SERVER ?? 'http://localhost:3000'

export default defineConfig({
  plugins: [react()],
  server: {
    // The Host stays the browser's: the server compares it with Origin.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/healthz'].map(path => [path, { target: server, changeOrigin: false }]),
    ),
  },
  build: {
    target: 'es2023',
    rolldownOptions: {
      // The kit is one import for pages; what a page does not use of it must not travel with the first chunk.
      treeshake: { moduleSideEffects: id => !/\/console\/src\/ui\//.test(id) },
    },
  },
})
