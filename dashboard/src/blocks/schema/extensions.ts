import type { Extensions } from '@tiptap/core'
import { Button, HorizontalRule, Image, LinkCard, Logo, Spacer } from './boxes.ts'
import { Blockquote, BulletList, Column, Columns, ListItem, OrderedList, Repeat, Section, Show } from './containers.ts'
import { Bold, Code, Highlight, Italic, Link, Strike, Subscript, Superscript, TextStyle, Underline } from './marks.ts'
import { OpaqueBlock, OpaqueInline, OpaqueMark } from './opaque.ts'
import {
  CodeBlock,
  Doc,
  Footer,
  HardBreak,
  Heading,
  HtmlCodeBlock,
  InlineImage,
  Paragraph,
  Text,
  Variable,
} from './texts.ts'

/** The schema: the nodes and marks of docs/templates.md, and three for what is not known. */
export const schemaExtensions: Extensions = [
  ...[Doc, Text, Paragraph, Heading, Footer, CodeBlock, HtmlCodeBlock, HardBreak, Variable, InlineImage],
  ...[Button, Image, Logo, Spacer, HorizontalRule, LinkCard],
  ...[Section, Columns, Column, Repeat, Show, Blockquote, BulletList, OrderedList, ListItem],
  ...[Link, TextStyle, Bold, Italic, Underline, Strike, Code, Subscript, Superscript, Highlight],
  ...[OpaqueBlock, OpaqueInline, OpaqueMark],
]
