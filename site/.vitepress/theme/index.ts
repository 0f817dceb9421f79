import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { drawDiagrams } from './diagrams.ts'
import './style.css'

const theme: Theme = { extends: DefaultTheme, setup: drawDiagrams }
export default theme
