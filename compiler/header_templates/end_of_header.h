// The last thing in a precompiled header: see header_templates.cpp. Without that plugin it means nothing, and as a
// header of the system it may.
#pragma GCC system_header
#pragma gridstride instantiate_templates
