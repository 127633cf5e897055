----------------------------------- MODULE SVG -----------------------------------
(* Pictures of states: elements are records with name, attrs, children, innerText. *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC

LOCAL Text4(a, b, c, d) == <<ToString(a), ToString(b), ToString(c), ToString(d)>>

SVGElem(_name, _attrs, _children, _innerText) ==
    [name |-> _name, attrs |-> _attrs, children |-> _children, innerText |-> _innerText]

Line(x1, y1, x2, y2, attrs) ==
    LET t == Text4(x1, y1, x2, y2)
    IN  SVGElem("line", [x1 |-> t[1], y1 |-> t[2], x2 |-> t[3], y2 |-> t[4]] @@ attrs, <<>>, "")

Circle(cx, cy, r, attrs) ==
    SVGElem("circle", [cx |-> ToString(cx), cy |-> ToString(cy), r |-> ToString(r)] @@ attrs, <<>>, "")

Rect(x, y, w, h, attrs) ==
    LET t == Text4(x, y, w, h)
    IN  SVGElem("rect", [x |-> t[1], y |-> t[2], width |-> t[3], height |-> t[4]] @@ attrs, <<>>, "")

Text(x, y, text, attrs) ==
    SVGElem("text", [x |-> ToString(x), y |-> ToString(y)] @@ attrs, <<>>, text)

Image(x, y, width, height, href, attrs) ==
    LET t == Text4(x, y, width, height)
    IN  SVGElem("image",
            ("xlink:href" :> href) @@ [x |-> t[1], y |-> t[2], width |-> t[3], height |-> t[4]] @@ attrs,
            <<>>, "")

Group(children, attrs) == SVGElem("g", attrs, children, "")
Svg(children, attrs) == SVGElem("svg", attrs, children, "")

SVGDoc(children, vbX, vbY, vbW, vbH, attrs) ==
    LET t == Text4(vbX, vbY, vbW, vbH)
    IN  Svg(<<children>>,
            ("xmlns:xlink" :> "http://www.w3.org/1999/xlink")
            @@ ("xmlns" :> "http://www.w3.org/2000/svg")
            @@ ("viewBox" :> t[1] \o " " \o t[2] \o " " \o t[3] \o " " \o t[4])
            @@ attrs)

(* The element as SVG text. *)
SVGElemToString(elem) == CHOOSE text \in STRING : TRUE

SVGSerialize(svg, prefix, frame) ==
    LET IO == INSTANCE IOUtils
    IN  IO!Serialize(SVGElemToString(svg), prefix \o IO!zeroPadN(frame, 3) \o ".svg",
            [format |-> "TXT", charset |-> "UTF-8",
             openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])

(* Coordinates: the n-th of m places on a circle; the places of a graph's nodes
   (refused: no layout is computed); a point between two.                           *)
NodeOfRingNetwork(cx, cy, r, n, m) == CHOOSE point \in [x : Int, y : Int] : TRUE
NodesOfDirectedMultiGraph(nodes, edges, options) == CHOOSE f \in [nodes -> [x : Int, y : Int]] : TRUE
PointOnLine(from, to, segment) ==
    [x |-> from.x + (to.x - from.x) \div segment, y |-> from.y + (to.y - from.y) \div segment]
==================================================================================
